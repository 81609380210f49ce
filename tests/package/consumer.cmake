# cmake -DPROJECT=… -DWORK=… -DOPTIONS=… [-DINSTALL=…] [-DSOURCE=…] -P consumer.cmake
# Configures, builds and runs a small project that uses the library; with INSTALL, that build is installed first; with
# SOURCE, the sources are in WORK/extern/stiction.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
if(INSTALL)
  run(${CMAKE_COMMAND} --install ${INSTALL} --prefix ${WORK}/prefix)
endif()
if(SOURCE)
  file(MAKE_DIRECTORY ${WORK}/extern)
  file(CREATE_LINK ${SOURCE} ${WORK}/extern/stiction SYMBOLIC)
endif()
run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
execute_process(COMMAND ${WORK}/build/consumer RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the consumer returned ${result}")
endif()
