# What `cmake --install` lays out: the program, the headers and the archive for callers of artefacts, the Python
# loader, and files by which CMake and pkg-config find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
# LLVM is where it was when ptc was linked.
set_target_properties(ptc PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ptc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/lib/libptc_rt.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(header ptc.h ptc.hpp Status.def GuardKinds.def)
  install(FILES ${CMAKE_SOURCE_DIR}/include/ptc/Runtime/${header}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ptc/Runtime)
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/lib/Runtime/ptc_loader.py DESTINATION ${CMAKE_INSTALL_DATADIR}/ptc)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Ptc)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/PtcConfig.cmake.in ${CMAKE_BINARY_DIR}/PtcConfig.cmake
  INSTALL_DESTINATION ${config} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PtcConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PtcConfig.cmake ${CMAKE_BINARY_DIR}/PtcConfigVersion.cmake
        ${CMAKE_SOURCE_DIR}/cmake/PtcAddModel.cmake DESTINATION ${config})
configure_file(${CMAKE_SOURCE_DIR}/cmake/ptc.pc.in ${CMAKE_BINARY_DIR}/ptc.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/ptc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
