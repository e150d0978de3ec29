// The floor "Radio": see ARCHITECTURE.md.
