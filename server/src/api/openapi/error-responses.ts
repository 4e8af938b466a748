// Responses with errors. Operations with the same codes share a component.
import { catalogue, detailCodes, type RouteError } from '#kernel/errors.ts'
import type { Route } from '#kernel/routes.ts'
import { errorsByStatus } from './error-codes.ts'
import { headerRefs } from './headers.ts'
import { type Json, schemaRef } from './json.ts'

const detailSchema = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', description: 'Where, for example `teammate.smart_fields[2].value`.' },
    code: { type: 'string', enum: Object.keys(detailCodes) },
    message: { type: 'string' },
    allowed: { type: 'array', items: {}, description: 'With `not_allowed`: the allowed values.' },
    missing: { type: 'array', items: { type: 'string' }, description: 'With `missing`: the names.' },
  },
}

const remediationSchema = {
  type: 'object',
  description: 'What a person can do about it, and where.',
  required: ['action', 'dashboard_url', 'message'],
  properties: {
    action: { type: 'string', enum: ['connect_integration', 'manage_in_dashboard', 'upgrade_plan'] },
    dashboard_url: { type: 'string', format: 'uri' },
    message: { type: 'string' },
  },
}

export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message'],
      properties: {
        type: { type: 'string', enum: [...new Set(Object.values(catalogue).map(({ type }) => type))] },
        code: { type: 'string', description: 'Stable: programs can rely on it.' },
        message: { type: 'string', description: 'For people. It can change.' },
      },
    },
    details: { type: 'array', items: detailSchema },
    remediation: remediationSchema,
  },
}

const sentCodes = (codes: readonly RouteError[]): string[] =>
  codes.flatMap(code => (code === 'validation' ? Object.keys(detailCodes) : [code]))

const sentenceOf = (code: RouteError): string =>
  code === 'validation'
    ? 'The code is that of the first of `details`, which name every wrong field.'
    : `\`${code}\`: ${catalogue[code].message}`

const exampleOf = (code: RouteError | undefined): Json => {
  if (code === undefined) return {}
  const { type, message } = catalogue[code]
  if (code !== 'validation') return { error: { type, code, message } }
  const problem = { code: 'blank', message: 'name must not be blank' }
  return { error: { type, ...problem }, details: [{ field: 'name', ...problem }] }
}

const componentName = (status: number, codes: readonly RouteError[]): string =>
  `Status${status}${codes.map(code => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())).join('')}`

function responseOf(status: number, codes: readonly RouteError[]): Json {
  const headers = ['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])]
  return {
    description: codes.map(sentenceOf).join(' '),
    headers: headerRefs(headers),
    content: {
      'application/json': { schema: { $ref: schemaRef('Error') }, example: exampleOf(codes[0]) },
    },
    // One schema for all errors: generators make one class of it.
    'x-error-codes': sentCodes(codes),
  }
}

/** References by status; adds the responses to `components`. */
export function errorResponsesOf(route: Route, components: Map<string, Json>): [string, Json][] {
  return [...errorsByStatus(route)].map(([status, codes]) => {
    const name = componentName(status, codes)
    components.set(name, responseOf(status, codes))
    return [String(status), { $ref: `#/components/responses/${name}` }]
  })
}
