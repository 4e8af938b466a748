// The list of the guides: their order, and what each of them answers.
import { linkList } from '../page.ts'
import { guidesPath, type RenderedGuide } from './markdown.ts'

type Summaries = Readonly<Record<string, string>>

/** Guides that are not named here follow under "More", with their first sentence. */
const groups: readonly (readonly [title: string, guides: Summaries])[] = [
  [
    'Start',
    {
      dashboard: 'The pages in the browser: from the set-up to a published signature in five minutes',
      'first-signature': 'From an empty service to a signature in a mail program, in eight commands',
      templates: 'Set logo and colours once, and start from one of the finished designs',
      content: 'Every block of a signature, with a picture and its JSON',
      'profile-pictures': 'Upload, fetch and crop the portraits of people',
      'import-people': 'Upload a table of people, see what would change, and import it',
      'import-signature': 'Turn the HTML of an existing signature into content',
      previews: 'See a signature as HTML or picture, for any person, and send a test mail',
      publishing: 'Check a signature for problems, choose its recipients and make it live',
    },
  ],
  [
    'People from directories',
    {
      'directories/google': 'Google Workspace, step by step',
      'directories/entra': 'Microsoft 365 and Entra ID, step by step',
      'directories/ldap': 'Active Directory, OpenLDAP and FreeIPA, step by step',
      'directories/scim': 'Okta, Entra ID and others send their people by themselves',
      'directories/csv': 'Files of an HR system decide who there is',
    },
  ],
  [
    'Reach mailboxes',
    {
      'personal-page': 'A private web page for each person, to copy the signature with one button',
      'self-service': 'Let people correct their own data, with or without the approval of a manager',
      gmail:
        'Connect a Google Workspace domain, so that Gmail shows signatures without any action of its users',
      outlook: 'Deploy the Outlook add-in, so that mails begin with the signature on every device',
      relay: 'Put signatures into mail on its way, for every device and program, by SMTP',
      'custom-channel': 'Receive rendered signatures in your own system',
      'contact-cards': 'Put a contact card or a QR code into a signature',
    },
  ],
  [
    'Campaigns and numbers',
    {
      campaigns: 'Show banners to the right people, from one time to another',
      analytics: 'Query views, clicks and click-through rates, and export them',
      events: 'Record sign-ups and orders, and attribute them to clicks',
      tracking: 'Which requests count as views and clicks, and what is not stored',
    },
  ],
  [
    'Integrate and operate',
    {
      billing: 'Count and limit seats, issue invoices, and bring those of Stripe',
      members: 'Invite colleagues, give them roles, remove them, and hand the workspace over',
      sso: 'Let people sign in through the identity provider of the company, by OpenID Connect or SAML',
      'sso-entra': 'Microsoft Entra ID, step by step',
      'sso-google': 'Google Workspace, step by step',
      'sso-okta': 'Okta, step by step',
      'sso-keycloak': 'Keycloak and other providers, step by step',
      mcp: 'Let AI agents such as Claude, ChatGPT and Cursor work with signatures, within the rights of a key',
      api: 'Pages, versions, safe repetition and other rules that hold for every operation',
      errors: 'The form of an error, and every code',
      sdk: 'Call the API from TypeScript or JavaScript, with types, retries and loops over lists',
      'event-webhooks': 'Receive events about changes: the events, signatures, retries and replay',
      'sign-in':
        'Sign-in methods: passwords, links, passkeys and second factors, and what to do when locked out',
      workspace: 'Name, domains, language and other settings of a workspace, and the mails that it sends',
      operating: 'Settings, backup, upgrades, TLS, and several processes',
      performance: 'What was measured, how, and the results',
    },
  ],
]

export function overviewBody(guides: ReadonlyMap<string, RenderedGuide>): string {
  const listed = new Set(groups.flatMap(([, summaries]) => Object.keys(summaries)))
  const others = [...guides].filter(([name]) => !listed.has(name))
  const more: Summaries = Object.fromEntries(others.map(([name, { about }]) => [name, about]))
  const sections = [...groups, ['More', more] as const].map(([title, summaries]) => {
    const links = Object.entries(summaries).flatMap(([name, about]) => {
      const guide = guides.get(name)
      return guide ? [{ path: `${guidesPath}/${name}`, name: guide.title, about }] : []
    })
    return links.length === 0 ? '' : `<h2>${title}</h2>${linkList(links)}`
  })
  return `<main class="overview"><h1>Guides</h1>${sections.join('')}</main>`
}
