// The reference page's own lines: which document it shows, and nothing that would send the reader, or the document, to others.
Scalar.createApiReference('#app', {
  url: document.getElementById('app').dataset.document,
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
})
