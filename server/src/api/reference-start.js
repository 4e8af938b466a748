// Starts the reference page with this service's document. Features that would send the reader or the document to other
// services are disabled.
Scalar.createApiReference('#app', {
  url: document.getElementById('app').dataset.document,
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
})
