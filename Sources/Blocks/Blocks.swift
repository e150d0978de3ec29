// The floor "Blocks": see ARCHITECTURE.md.
