// The floor "Rendering": see ARCHITECTURE.md.
