// What makes openapi.json usable by linters, generators and validators.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { errorCodesOf } from '#api/openapi/error-codes.ts'
import { examples } from '#api/openapi/examples.ts'
import { apiRoutes } from '#app.ts'
import { openApiText } from '#commands/routes.ts'
import { readConfig } from '#config.ts'
import { catalogue, detailCodes } from '#kernel/errors.ts'
import { buildParts } from '#parts.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly headers?: object; readonly content?: Record<string, Media> }
  >
}
interface Media {
  readonly schema: object
  readonly example?: unknown
}

const document = JSON.parse(openApiText())
const routes = apiRoutes(buildParts(readConfig({})))
const operations: readonly Operation[] = Object.values(document.paths).flatMap(path =>
  Object.values(path as Record<string, Operation>),
)
const operationNamed = new Map(operations.map(operation => [operation.operationId, operation]))

/** The object that a local reference names. */
const resolve = (ref: string): object =>
  ref
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key.replaceAll('~1', '/')], document)

/** All objects in a value, and in what it refers to. */
function* objectsIn(value: unknown, seen = new Set<string>()): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item, seen)
  else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>
    yield object
    if (typeof object.$ref === 'string' && !seen.has(object.$ref)) {
      seen.add(object.$ref)
      yield* objectsIn(resolve(object.$ref), seen)
    }
    for (const [key, inner] of Object.entries(object))
      if (key !== 'example' && key !== 'examples') yield* objectsIn(inner, seen)
  }
}

describe('the schemas', () => {
  it('compile in a strict validator, so they have no keyword of our own but x-…', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      allowUnionTypes: true,
    })
    addFormats.default(ajv)
    ajv.addVocabulary(['components', 'discriminator'])
    ajv.addSchema({ $id: 'https://signoff.invalid/', components: document.components })
    for (const name of Object.keys(document.components.schemas))
      expect(
        () => ajv.compile({ $ref: `https://signoff.invalid/#/components/schemas/${name}` }),
        name,
      ).not.toThrow()
  })

  it('of answers are open, those of requests are closed', () => {
    for (const { operationId, responses, requestBody } of operations) {
      const closed = [...objectsIn(responses)].filter(object => object.additionalProperties === false)
      expect(closed, operationId).toEqual([])
      const [body] = Object.values(requestBody?.content ?? {})
      const [first] = body ? [...objectsIn(body.schema)].filter(object => 'properties' in object) : []
      if (body) expect(first?.additionalProperties, operationId).toBe(false)
    }
  })

  it('are all used', () => {
    const used = new Set<string>()
    for (const object of objectsIn(document.paths)) if (typeof object.$ref === 'string') used.add(object.$ref)
    for (const kind of ['schemas', 'responses', 'headers'])
      for (const name of Object.keys(document.components[kind]))
        expect(used, name).toContain(`#/components/${kind}/${name}`)
  })

  it('of blocks say by which property they differ', () => {
    const { discriminator } = document.components.schemas.RootBlock.properties.children.items
    expect(discriminator.propertyName).toBe('type')
    expect(discriminator.mapping.text).toBe('#/components/schemas/TextBlock')
    const stored = document.components.schemas.StoredRootBlock.properties.children.items
    expect(stored.discriminator.mapping.text).toBe('#/components/schemas/StoredTextBlock')
  })
})

describe('every operation', () => {
  it('has a tag with a readable name and a description', () => {
    const tags = new Map<string, string>(
      document.tags.map((tag: { name: string; description: string }) => [tag.name, tag.description]),
    )
    for (const { operationId, tags: names, description } of operations) {
      expect(tags.get(names[0] ?? ''), operationId).toMatch(/^[A-Z].* .*\.$/)
      expect(names[0], operationId).toMatch(/^[A-Z][\w ]+$/)
      expect(description.length, operationId).toBeGreaterThan(10)
    }
  })

  it('lists the errors that it can give, and no others', () => {
    for (const one of routes) {
      const { responses } = operationNamed.get(one.name ?? '') as Operation
      const listed = Object.values(responses).flatMap(({ $ref }) =>
        $ref ? (resolve($ref) as { 'x-error-codes': string[] })['x-error-codes'] : [],
      )
      const expected = errorCodesOf(one).flatMap(code =>
        code === 'validation' ? Object.keys(detailCodes) : [code],
      )
      expect(listed.toSorted(), one.name ?? '').toEqual(expected.toSorted())
      for (const [status, { $ref }] of Object.entries(responses))
        if ($ref)
          for (const code of (resolve($ref) as { 'x-error-codes': string[] })['x-error-codes'])
            expect(Object.hasOwn(catalogue, code) ? catalogue[code as 'not_found'].status : 422).toBe(
              Number(status),
            )
    }
  })

  it('has the headers that are sent', () => {
    const headersOf = (name: string, status: string) =>
      Object.keys(operationNamed.get(name)?.responses[status]?.headers ?? {})
    expect(headersOf('folders.list', '200')).toContain('ETag')
    expect(headersOf('folders.create', '201')).toEqual(
      expect.arrayContaining(['ETag', 'Location', 'Idempotent-Replayed', 'X-Request-Id']),
    )
    expect(headersOf('analytics.export', '200')).toContain('Content-Disposition')
    expect(headersOf('analytics.export', '200')).not.toContain('ETag')
  })
})

describe('a recorded example', () => {
  const problemsOf = (name: string, media: Media | undefined): string => {
    if (!media || media.example === undefined) return `${name} has no such body`
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'https://signoff.invalid/', components: document.components })
    const schema = JSON.parse(
      JSON.stringify(media.schema).replaceAll('"#/components', '"https://signoff.invalid/#/components'),
    )
    return ajv.validate(schema, media.example) ? '' : `${name}: ${ajv.errorsText()}`
  }

  it('matches the schema of its request and its answer', () => {
    for (const [name, { request, answer }] of Object.entries(examples)) {
      const operation = operationNamed.get(name)
      expect(operation, `there is no route ${name}`).toBeDefined()
      if (request !== undefined)
        expect(problemsOf(name, operation?.requestBody?.content['application/json'])).toBe('')
      const success = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2'))
      if (answer !== undefined) expect(problemsOf(name, success?.[1].content?.['application/json'])).toBe('')
    }
  })
})
