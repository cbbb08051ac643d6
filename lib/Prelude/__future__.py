"""__future__: the names that may be imported from it."""
annotations = nested_scopes = generators = division = absolute_import = with_statement = print_function = unicode_literals = None
generator_stop = barry_as_FLUFL = None
