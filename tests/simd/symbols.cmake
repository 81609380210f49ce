# cmake -DNM=… -DOBJECTS=… -P symbols.cmake
# Objects for one level define their table and nothing else that is visible outside. A weak symbol is an inline function or a
# template: the linker might take it, with instructions that not every processor has, for all the program.
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} -C --defined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* [A-Zuvw] [^\n]*" visible "${symbols}")
  set(tables 0)
  foreach(symbol IN LISTS visible)
    if(symbol MATCHES "_v[34]$")
      math(EXPR tables "${tables} + 1")
    elseif(NOT symbol MATCHES "DW\\.ref\\.") # data of exception handling
      message(SEND_ERROR "${object}: ${symbol}")
    endif()
  endforeach()
  if(NOT tables EQUAL 1)
    message(SEND_ERROR "${object}: ${tables} tables of kernels")
  endif()
endforeach()
