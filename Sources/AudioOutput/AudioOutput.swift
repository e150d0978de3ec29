// The floor "AudioOutput": see ARCHITECTURE.md.
