// Checks that every signature must pass, for any content and any person.
import { HtmlValidate } from 'html-validate'
import { parse } from './parse.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    // Mail clients need what web pages should not have: attributes instead of CSS, inline CSS, tables for layout.
    'no-inline-style': 'off',
    'no-deprecated-attr': 'off',
    'attribute-allowed-values': 'off', // width="100%" on a table
    'element-permitted-content': 'error',
    'void-style': 'off',
    'long-title': 'off',
    'tel-non-breaking': 'off', // mail clients break lines anyway
    'no-trailing-whitespace': 'off',
    'wcag/h30': 'off', // a decorative image inside of a link gets a warning instead
    'wcag/h37': 'error',
    'wcag/h67': 'off',
    'prefer-tbody': 'off',
    'require-sri': 'off',
    'no-implicit-button-type': 'off',
    'attribute-boolean-style': 'off',
    'no-raw-characters': 'error',
    'no-redundant-role': 'off',
    'text-content': 'off',
  },
})

/** Everything in the HTML that is invalid or that mail clients do not accept. */
export async function faults(html: string): Promise<string[]> {
  const issues: string[] = []
  const report = await validator.validateString(html)
  for (const { messages } of report.results)
    issues.push(...messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))
  return [...issues, ...constructs(html)]
}

/** The same check without html-validate: fast enough for thousands of trees. */
export function constructs(html: string): string[] {
  const issues: string[] = []
  const { markup, problems, elements } = parse(html)
  for (const construct of [
    '<style',
    ' class=',
    ' id=',
    '<div',
    '<p>',
    '<p ',
    '<!--',
    '<script',
    '<link',
    ' target=',
    'outline',
    'data:',
    'url(',
    'javascript:',
  ])
    if (markup.includes(construct)) issues.push(`holds ${construct}`)
  issues.push(...problems)
  for (const { name, attributes } of elements) {
    const style = attributes.get('style') ?? ''
    if (name === 'td' && !/(^|;)padding:/.test(style)) issues.push('a td without padding')
    if (name === 'td' && attributes.has('valign') !== /vertical-align:/.test(style))
      issues.push('valign said once')
    if (attributes.has('bgcolor') !== /background-color:/.test(style)) issues.push('a background said once')
    if (name === 'img') {
      for (const needed of ['src', 'alt', 'border'])
        if (!attributes.has(needed)) issues.push(`an img without ${needed}`)
      for (const side of ['width', 'height'])
        if (!attributes.has(side) && !style.includes(`;${side}:auto`)) issues.push(`an img without ${side}`)
      if (!/;width:(\d+px|auto);height:(\d+px|auto)/.test(style) && attributes.get('width') !== '1')
        issues.push('an img without CSS sizes')
      if (!/^https?:\/\//.test(attributes.get('src') ?? ''))
        issues.push(`an image from ${attributes.get('src')}`)
      if (!style.startsWith('display:block')) issues.push('an img that is not a block')
    }
    if (name === 'table') {
      for (const [needed, value] of [
        ['role', 'presentation'],
        ['cellpadding', '0'],
        ['cellspacing', '0'],
        ['border', '0'],
      ] as const)
        if (attributes.get(needed) !== value) issues.push(`a table without ${needed}`)
      if (!/^border-collapse:(collapse|separate);border-spacing:0/.test(style))
        issues.push('a table that leaves its borders to the client')
      if (attributes.has('width') && !['100%', '600'].includes(attributes.get('width') ?? ''))
        issues.push('a table that cannot become narrower')
    }
    if (name === 'span' && !attributes.has('dir') && !/font-family:[\w ,-]+;font-size:[\d.]+px/.test(style))
      issues.push('a span without its font')
    if (name === 'a' && !/^(https?:\/\/|mailto:|tel:|sms:)/.test(attributes.get('href') ?? ''))
      issues.push(`a link to ${attributes.get('href')}`)
    if (name === 'a' && !/text-decoration:/.test(style)) issues.push('a link without its decoration')
    for (const color of style.matchAll(/color:([^;]*)/g))
      if (!/^(#[0-9a-f]{6}|inherit)$/.test(color[1] ?? '')) issues.push(`the colour ${color[1]}`)
    if (
      name === 'td' &&
      /line-height:/.test(style) &&
      !/mso-line-height-rule:exactly;line-height:(0|\d+px)/.test(style)
    )
      issues.push('a line height that Word may stretch')
    if (/["'<>\\{}]|\/\*|expression/i.test(style)) issues.push(`the style ${style}`)
  }
  return [...new Set(issues)]
}
