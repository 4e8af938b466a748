// The one place where text becomes HTML. The policy of the page refuses it everywhere else.
interface Policy {
  createHTML(text: string): string
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('signoff', { createHTML: text => text })

/**
 * Only for HTML that runs no script: the frames of `signature-frame.tsx`, the canvas of the editor (HTML of the
 * renderer), and documents of their own, from which only words are read.
 */
export const trustedHtml = (text: string): string => policy?.createHTML(text) ?? text

/** The browser reports a violation of the page's policy for every style sheet, though it applies none. */
const withoutSheets = (html: string): string => html.replaceAll(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, '')

/** A document of its own, which loads and runs nothing. */
export const parsedHtml = (html: string): Document =>
  new DOMParser().parseFromString(trustedHtml(withoutSheets(html)), 'text/html')
