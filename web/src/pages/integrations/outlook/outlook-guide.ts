export const outlookGuide = '/docs/guides/outlook'
