# cmake -DPROJECT=… -DWORK=… -DOPTIONS=… [-DINSTALL=…] -P consumer.cmake
# Configures, builds and runs a small project that uses the library; with INSTALL, that build is installed first.
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
run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
execute_process(COMMAND ${WORK}/build/consumer RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the consumer returned ${result}")
endif()
