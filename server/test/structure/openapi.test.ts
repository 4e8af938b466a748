// What makes openapi.json usable by linters, generators and validators.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { errorCodesOf } from '#api/openapi/error-codes.ts'
import { examples } from '#api/openapi/examples.ts'
import { apiRoutes } from '#app.ts'
import { openApiText } from '#commands/routes.ts'
import { readConfig } from '#config.ts'
import { catalogue, isDetailCode } from '#kernel/errors.ts'
import { buildParts } from '#parts.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> }
  readonly responses: Record<string, Response>
}
interface Response {
  readonly $ref?: string
  readonly headers?: object
  readonly content?: Record<string, Media>
  readonly 'x-error-codes'?: readonly string[]
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

/** The codes that a response lists. */
const codesIn = (response: Response): readonly string[] => {
  const { 'x-error-codes': codes = [] } = (response.$ref ? resolve(response.$ref) : response) as Response
  return codes
}

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
      expect(names[0], operationId).toMatch(/^[A-Z][\w -]+$/)
      expect(description.split('\n\n')[0]?.length, operationId).toBeGreaterThanOrEqual(100)
    }
  })

  it('has an example of its answer, and of its request, where they are JSON', () => {
    for (const { operationId, requestBody, responses } of operations) {
      const media = [requestBody, ...Object.values(responses)].flatMap(
        part => part?.content?.['application/json'] ?? [],
      )
      for (const { example } of media) expect(example, operationId).toBeDefined()
    }
  })

  it('needs a body only where the service does not accept a request without one', () => {
    const isRequired = (name: string) => operationNamed.get(name)?.requestBody?.required
    for (const name of ['signatures.publish', 'signatures.duplicate', 'emails.install', 'folders.update'])
      expect(isRequired(name), name).toBe(false)
    for (const name of ['folders.create', 'assets.create', 'teammates.setImage', 'teammates.update'])
      expect(isRequired(name), name).toBe(true)
  })

  it('that only reads has query parameters as examples of wrong fields', () => {
    for (const { operationId, parameters, requestBody, responses } of operations) {
      const example = responses['422']?.content?.['application/json']?.example as
        | { readonly details: readonly { readonly field: string }[] }
        | undefined
      if (!example || requestBody || !responses['304']) continue
      const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
      expect(names, operationId).toContain(example.details[0]?.field)
    }
  })

  it('lists the errors that it can give, and no others', () => {
    for (const one of routes) {
      const { responses } = operationNamed.get(one.name ?? '') as Operation
      const byStatus = Object.entries(responses).map(([status, response]) => ({
        status: Number(status),
        codes: codesIn(response),
      }))
      const listed = byStatus.flatMap(({ codes }) => codes)
      expect(listed.toSorted(), one.name ?? '').toEqual(errorCodesOf(one).toSorted())
      // 409 where the version is that of a publication request, and not in If-Match.
      for (const { status, codes } of byStatus)
        for (const code of codes)
          expect(
            code === 'stale_resource' && status === 409
              ? 409
              : isDetailCode(code)
                ? 422
                : catalogue[code as 'not_found'].status,
            code,
          ).toBe(status)
    }
  })

  it('has the headers that are sent', () => {
    const headersOf = (name: string, status: string) =>
      Object.keys(operationNamed.get(name)?.responses[status]?.headers ?? {})
    expect(headersOf('folders.list', '200')).toContain('ETag')
    expect(headersOf('folders.create', '201')).toEqual(
      expect.arrayContaining(['ETag', 'Location', 'Idempotent-Replayed', 'X-Request-Id']),
    )
    expect(headersOf('signatures.publish', '200')).toContain('ETag')
    expect(headersOf('signatures.previewPng', '200')).toContain('X-Signoff-Warnings')
    expect(headersOf('analytics.export', '200')).toContain('Content-Disposition')
    expect(headersOf('analytics.export', '200')).not.toContain('ETag')
  })
})

describe('a recorded example', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://signoff.invalid/', components: document.components })

  const problemsOf = (name: string, media: Media | undefined): string => {
    if (!media || media.example === undefined) return `${name} has no such body`
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
