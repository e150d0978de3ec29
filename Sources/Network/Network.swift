// The floor "Network": see ARCHITECTURE.md.
