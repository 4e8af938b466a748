// The unified manifest for Microsoft 365, in JSON. Outlook for Mac and on phones does not take it from an admin.
import { launchEvents, type ManifestFacts, mailboxVersion } from './facts.ts'

const needsMailbox = {
  capabilities: [{ name: 'Mailbox', minVersion: mailboxVersion }],
  scopes: ['mail'],
}

export function jsonManifest(facts: ManifestFacts): object {
  const { id, version, company, names, base, page, script, pane, support, icon } = facts
  const iconsOf = [16, 32, 80] as const
  return {
    $schema: 'https://developer.microsoft.com/json-schemas/teams/v1.25/MicrosoftTeams.schema.json',
    manifestVersion: '1.25',
    id,
    version,
    name: { short: names.short, full: `${names.short}, ${company}`.slice(0, 100) },
    description: { short: names.description, full: names.description },
    // Files of the package that an admin uploads: docs/connect/outlook.md says how it is made.
    icons: { outline: 'icon-32.png', color: 'icon-128.png' },
    accentColor: '#1D4ED8',
    developer: {
      name: company.slice(0, 32).trim(),
      websiteUrl: support,
      privacyUrl: support,
      termsOfUseUrl: support,
    },
    localizationInfo: { defaultLanguageTag: 'en-us' },
    authorization: {
      permissions: { resourceSpecific: [{ name: 'MailboxItem.ReadWrite.User', type: 'Delegated' }] },
    },
    validDomains: [new URL(base).host],
    extensions: [
      {
        requirements: needsMailbox,
        runtimes: [
          {
            id: 'launch',
            type: 'general',
            code: { page, script },
            lifetime: 'short',
            actions: launchEvents.map(({ handler }) => ({ id: handler, type: 'executeFunction' })),
          },
          {
            id: 'pane',
            type: 'general',
            code: { page: pane },
            lifetime: 'short',
            actions: [{ id: 'showPane', type: 'openPage', pinnable: false, view: 'pane' }],
          },
        ],
        ribbons: [
          {
            requirements: { ...needsMailbox, formFactors: ['desktop'] },
            contexts: ['mailCompose'],
            tabs: [
              {
                builtInTabId: 'TabDefault',
                groups: [
                  {
                    id: 'signoffGroup',
                    label: names.short,
                    controls: [
                      {
                        id: 'signoffPane',
                        type: 'button',
                        label: names.button,
                        icons: iconsOf.map(size => ({ size, url: icon(size) })),
                        supertip: { title: names.button, description: names.tip },
                        actionId: 'showPane',
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
        autoRunEvents: [
          {
            requirements: needsMailbox,
            events: launchEvents.map(({ json, handler }) => ({ type: json, actionId: handler })),
          },
        ],
      },
    ],
  }
}
