#include "command_line.h"

int main(int argc, char** argv) { return stiction::cli::command_line(argc, argv); }
