// What makes openapi.json usable by linters, generators and validators.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { errorCodesOf } from '#api/openapi/error-codes.ts'
import { examples } from '#api/openapi/examples.ts'
import { openApiText } from '#commands/installation/routes.ts'
import { readConfig } from '#config.ts'
import { catalogue, isDetailCode } from '#kernel/base/errors.ts'
import { buildParts } from '#parts.ts'
import { apiRoutes } from '#routes.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> }
  readonly responses: Record<string, Response>
}
interface Response {
  readonly headers?: object
  readonly content?: Record<string, Media>
  readonly 'x-error-codes'?: readonly string[]
}
interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Record<string, { readonly value: unknown }>
}

/** 700 kB for 199 operations. */
const bytesPerOperation = 3_515

const document = JSON.parse(await openApiText())
const routes = apiRoutes(buildParts(readConfig({})))

/** The value that a local reference names; another value as it is. */
const resolved = <T>(value: T): T => {
  const { $ref } = value as { $ref?: string }
  const steps = $ref === undefined ? [] : $ref.slice(2).split('/')
  return $ref === undefined ? value : steps.reduce((object, key) => object?.[key], document)
}

const operations: readonly Operation[] = Object.values(
  document.paths as Record<string, Record<string, Operation>>,
)
  .flatMap(path => Object.values(path))
  .map(operation => ({
    ...operation,
    parameters: operation.parameters.map(resolved),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, resolved(response)]),
    ),
  }))
const operationNamed = new Map(operations.map(operation => [operation.operationId, operation]))

/** The example of a body: its own, or a component. */
const exampleIn = ({ example, examples: shared = {} }: Media): unknown =>
  example ?? Object.values(shared).map(resolved)[0]?.value

/** The JSON bodies of an operation by their place: `request`, or the status. */
const bodiesOf = ({ requestBody, responses }: Operation): [string, Media][] =>
  Object.entries({ request: requestBody, ...responses }).flatMap(([place, part]) => {
    const media = part?.content?.['application/json']
    return media ? [[place, media] as [string, Media]] : []
  })

const isExample = ($ref: string): boolean => $ref.startsWith('#/components/examples/')

/** All objects in a value, and in what it refers to, without the data of examples. */
function* objectsIn(value: unknown, seen = new Set<string>()): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item, seen)
  else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>
    yield object
    if (typeof object.$ref === 'string' && !seen.has(object.$ref)) {
      seen.add(object.$ref)
      if (!isExample(object.$ref)) yield* objectsIn(resolved(object), seen)
    }
    // A media type has an object of named examples, a schema has a list of values.
    for (const [key, inner] of Object.entries(object))
      if (key !== 'example' && !(key === 'examples' && Array.isArray(inner))) yield* objectsIn(inner, seen)
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

  it('of lists say what their items are', () => {
    for (const object of objectsIn(document.paths))
      if ([object.type].flat().includes('array'))
        expect(object, JSON.stringify(object)).toHaveProperty('items')
  })

  it('of blocks say by which property they differ', () => {
    const { StackChildren, StoredStackChildren } = document.components.schemas
    const { discriminator } = StackChildren.items
    expect(discriminator.propertyName).toBe('type')
    expect(discriminator.mapping.text).toBe('#/components/schemas/TextBlock')
    expect(StoredStackChildren.items.discriminator.mapping.text).toBe('#/components/schemas/StoredTextBlock')
  })
})

describe('references', () => {
  it('all lead to a component', () => {
    const references = [...JSON.stringify(document).matchAll(/"(#\/[^"]+)"/g)].map(([, $ref]) => $ref)
    expect(references.length).toBeGreaterThan(1_000)
    for (const $ref of new Set(references)) expect(resolved({ $ref }), $ref).toBeTypeOf('object')
  })

  it('use every component', () => {
    const used = new Set([...objectsIn(document.paths)].map(({ $ref }) => $ref))
    const { securitySchemes: _, ...components } = document.components as Record<string, object>
    for (const [kind, parts] of Object.entries(components))
      for (const name of Object.keys(parts)) expect(used, name).toContain(`#/components/${kind}/${name}`)
  })

  it('keep the document small, as it is stored and as it is served', async () => {
    const limit = operations.length * bytesPerOperation
    expect(Buffer.byteLength(await openApiText())).toBeLessThanOrEqual(limit)
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(limit)
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
    for (const operation of operations)
      for (const [place, media] of bodiesOf(operation))
        expect(exampleIn(media), `${operation.operationId} ${place}`).toBeDefined()
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
    for (const route of routes) {
      const { responses } = operationNamed.get(route.name ?? '') as Operation
      const byStatus = Object.entries(responses).map(([status, response]) => ({
        status: Number(status),
        codes: response['x-error-codes'] ?? [],
      }))
      const listed = byStatus.flatMap(({ codes }) => codes)
      expect(listed.toSorted(), route.name ?? '').toEqual(errorCodesOf(route).toSorted())
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
    expect(headersOf('folders.list', '429')).toEqual(
      expect.arrayContaining(['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
    )
  })
})

describe('a recorded example', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://signoff.invalid/', components: document.components })

  /** By the text of their schema: most answers are errors, which share one. */
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"https://signoff.invalid/#/components')
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text))
    validators.set(text, validator)
    return validator
  }

  it('matches the schema of its request or its status', () => {
    for (const operation of operations)
      for (const [place, media] of bodiesOf(operation)) {
        const validate = validatorOf(media.schema)
        validate(exampleIn(media))
        expect(validate.errors, `${operation.operationId} ${place}`).toBeNull()
      }
  })

  it('of one status is not that of another', () => {
    for (const { operationId, responses } of operations) {
      const texts = Object.values(responses).flatMap(({ content }) => {
        const media = content?.['application/json']
        return media ? [JSON.stringify(exampleIn(media))] : []
      })
      expect(new Set(texts).size, operationId).toBe(texts.length)
    }
  })

  it('belongs to a route', () => {
    for (const name of Object.keys(examples)) expect(operationNamed.has(name), name).toBe(true)
  })
})
