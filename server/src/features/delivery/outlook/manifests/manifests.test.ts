import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { launchEvents, manifestFacts } from './facts.ts'
import { jsonManifest } from './json.ts'
import { xmlManifest } from './xml.ts'

const source = {
  publicUrl: 'https://sign.example.com',
  token: 'T'.repeat(43),
  integrationId: '01a1ec74-14e5-7246-8238-f4610f30882a',
  number: 2,
  company: 'Ada & "Söhne" <GmbH> \u0007',
}
const facts = manifestFacts(source)
const xml = xmlManifest(facts)

// The library itself needs a package that it does not declare, so this uses its schema, and its validator.
const library = createRequire(import.meta.url).resolve('@microsoft/app-manifest')
const { default: Draft04 } = createRequire(library)('ajv-draft-04')
const { default: addFormats } = createRequire(library)('ajv-formats')

function schemaErrors(manifest: object): unknown[] {
  const version = (manifest as { manifestVersion: string }).manifestVersion
  const path = join(dirname(library), `json-schemas/teams/v${version}/MicrosoftTeams.schema.json`)
  const ajv = new Draft04({ allErrors: true, strict: false })
  addFormats(ajv, ['uri', 'email'])
  const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')))
  return validate(manifest) ? [] : validate.errors
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

function parse(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name: name.replace(/^bt:/, ''),
      attributes: attributes as Record<string, string>,
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', piece => {
    const last = open.at(-1)
    if (last) last.text += piece
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return root.children[0] as Element
}

const within = (element: Element): Element[] => [element, ...element.children.flatMap(within)]
const tree = parse(xml)
const all = within(tree)
const named = (name: string) => all.filter(element => element.name === name)

/** The children of each element in the order of Microsoft's schema (mail add-ins; VersionOverrides 1.0 and 1.1). */
const orders: Readonly<Record<string, string>> = {
  OfficeApp:
    'Id AlternateId Version ProviderName DefaultLocale DisplayName Description IconUrl HighResolutionIconUrl SupportUrl AppDomains Hosts Requirements FormSettings Permissions Rule DisableEntityHighlighting VersionOverrides',
  VersionOverrides:
    'Description Requirements Hosts Resources VersionOverrides WebApplicationInfo EquivalentAddins ConnectedServiceControls ExtendedPermissions',
  Host: 'Runtimes DesktopFormFactor MobileFormFactor',
  Runtime: 'Override',
  DesktopFormFactor: 'SupportsSharedFolders FunctionFile ExtensionPoint',
  MobileFormFactor: 'ExtensionPoint',
  ExtensionPoint: 'OfficeTab LaunchEvents SourceLocation',
  Group: 'Label Tooltip Control',
  Control: 'Label Supertip Icon Action',
  Supertip: 'Title Description',
  Action: 'SourceLocation FunctionName',
  Resources: 'Images Urls ShortStrings LongStrings',
  DesktopSettings: 'SourceLocation RequestedHeight',
}

describe('the XML manifest', () => {
  it('is well-formed, small, and names the company as it is called', () => {
    expect(xml.length).toBeLessThan(256 * 1024)
    expect(named('ProviderName')[0]?.text).toBe('Ada & "Söhne" <GmbH>')
    expect(named('Id')[0]?.text).toBe(source.integrationId)
    expect(named('Version')[0]?.text).toBe('1.0.2.0')
  })

  it.each(Object.entries(orders))('has the children of %s in the order of the schema', (name, order) => {
    const sequence = order.split(' ')
    const parents = named(name)
    expect(parents.length).toBeGreaterThan(0)
    for (const { children } of parents) {
      const positions = children.map(child => sequence.indexOf(child.name))
      expect(positions.includes(-1), children.map(child => child.name).join(' ')).toBe(false)
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    }
  })

  it('defines each resource once, and refers to each of them', () => {
    const defined = named('Resources')
      .flatMap(within)
      .flatMap(({ attributes }) => attributes.id ?? [])
    const used = all.flatMap(({ attributes }) => attributes.resid ?? [])
    expect(new Set(defined).size).toBe(defined.length)
    expect([...new Set(used)].sort()).toEqual(defined.toSorted())
    // The limits of Microsoft's schema.
    expect(defined.filter(id => id.length > 32)).toEqual([])
    const strings = named('ShortStrings')
      .flatMap(within)
      .map(({ attributes }) => attributes.DefaultValue ?? '')
    expect(strings.filter(text => text.length > 125)).toEqual([])
  })

  it('names only addresses of the service, by https', () => {
    const addresses = all.flatMap(({ name, attributes, text }) =>
      name === 'AppDomain'
        ? text
        : /^https?:/.test(attributes.DefaultValue ?? '')
          ? attributes.DefaultValue
          : [],
    )
    expect(addresses.length).toBeGreaterThan(8)
    for (const address of addresses) expect(address).toMatch(/^https:\/\/sign\.example\.com(\/|$)/)
  })

  it('asks for the item alone, and takes shared mailboxes', () => {
    expect(named('Permissions')[0]?.text).toBe('ReadWriteItem')
    expect(named('SupportsSharedFolders')[0]?.text).toBe('true')
  })

  it('handles each event on computers and on phones', () => {
    const expected = launchEvents.map(({ xml, handler }) => `${xml} ${handler}`)
    for (const form of ['DesktopFormFactor', 'MobileFormFactor']) {
      const actual = named(form)
        .flatMap(within)
        .filter(({ name }) => name === 'LaunchEvent')
        .map(({ attributes }) => `${attributes.Type} ${attributes.FunctionName}`)
      expect(actual).toEqual(expected)
    }
  })
})

describe('the unified manifest', () => {
  const manifest = jsonManifest(facts)

  it('is valid by the schema of Microsoft', () => {
    expect(schemaErrors(manifest)).toEqual([])
    expect(schemaErrors({ ...manifest, id: 'two' })).not.toEqual([])
    expect(schemaErrors({ ...manifest, other: 1 })).not.toEqual([])
  })

  it('is valid for the longest name of a company', () => {
    const long = manifestFacts({ ...source, company: 'ß'.repeat(200) })
    expect(schemaErrors(jsonManifest(long))).toEqual([])
  })

  it('has the id, the addresses and the events of the XML manifest', () => {
    // biome-ignore lint/suspicious/noExplicitAny: read as a client does
    const { id, version, extensions } = manifest as any
    const [{ runtimes, autoRunEvents }] = extensions
    expect([id, `${version}.0`]).toEqual([named('Id')[0]?.text, named('Version')[0]?.text])
    expect(xml).toContain(runtimes[0].code.page)
    expect(xml).toContain(runtimes[0].code.script)
    expect(xml).toContain(runtimes[1].code.page)
    expect(autoRunEvents[0].events).toEqual(
      launchEvents.map(({ json, handler }) => ({ type: json, actionId: handler })),
    )
    expect(runtimes[0].actions.map((action: { id: string }) => action.id)).toEqual(
      launchEvents.map(({ handler }) => handler),
    )
  })
})
