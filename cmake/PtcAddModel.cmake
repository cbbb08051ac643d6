# ptc_add_model(NAME MODEL model.pyc [ENTRY entry] [INIT json] [INPUTS spec...] [EXAMPLES file...]
#               [WEIGHTS file] [CPU cpu] [OPTIONS flags...])
#
# Compiles a program with ptc and makes the imported library target NAME: link it, include "NAME.h". It is rebuilt when
# the .pyc, an example, the weights or ptc change; what else was read comes from the depfile that ptc writes.
function(ptc_add_model name)
  cmake_parse_arguments(ARG "" "MODEL;ENTRY;INIT;WEIGHTS;CPU" "INPUTS;EXAMPLES;OPTIONS" ${ARGN})
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "ptc_add_model(${name}): MODEL is missing")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ptc_add_model(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(flags)
  set(inputs)
  foreach(option ENTRY INIT CPU)
    if(DEFINED ARG_${option})
      string(TOLOWER ${option} flag)
      list(APPEND flags --${flag} ${ARG_${option}})
    endif()
  endforeach()
  foreach(spec ${ARG_INPUTS})
    list(APPEND flags --input ${spec})
  endforeach()
  foreach(file ${ARG_EXAMPLES})
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND flags --example ${file})
    list(APPEND inputs ${file})
  endforeach()
  if(ARG_WEIGHTS)
    get_filename_component(file ${ARG_WEIGHTS} ABSOLUTE)
    list(APPEND flags --weights ${file})
    list(APPEND inputs ${file})
  endif()
  get_filename_component(model ${ARG_MODEL} ABSOLUTE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptc)
  set(library ${folder}/lib${name}.so)
  file(MAKE_DIRECTORY ${folder})
  # ptc leaves files alone that would have the same bytes, which Ninja asks for and make takes for not made.
  set(touch)
  if(NOT CMAKE_GENERATOR MATCHES Ninja)
    set(touch COMMAND ${CMAKE_COMMAND} -E touch ${library} ${folder}/${name}.h)
  endif()
  add_custom_command(OUTPUT ${library} ${folder}/${name}.h
    COMMAND ptc::ptc compile ${model} ${flags} ${ARG_OPTIONS} -o ${library} -MD -MF ${library}.d
    ${touch}
    DEPENDS ${model} ${inputs} ptc::ptc DEPFILE ${library}.d
    COMMENT "Compiling ${ARG_MODEL} to lib${name}.so" VERBATIM)
  add_custom_target(${name}_ptc DEPENDS ${library})
  add_library(${name} SHARED IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${library} IMPORTED_SONAME lib${name}.so
    INTERFACE_INCLUDE_DIRECTORIES ${folder} INTERFACE_LINK_LIBRARIES ptc::runtime_headers)
  add_dependencies(${name} ${name}_ptc)
endfunction()
