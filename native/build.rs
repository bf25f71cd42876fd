fn main() {
    pyo3_build_config::add_extension_module_link_args(); // on macOS the interpreter's symbols are found when it is loaded
}
