// The floor "Station": see ARCHITECTURE.md.
