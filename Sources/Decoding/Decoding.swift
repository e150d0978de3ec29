// The floor "Decoding": see ARCHITECTURE.md.
