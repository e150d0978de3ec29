// The floor "Listings": see ARCHITECTURE.md.
