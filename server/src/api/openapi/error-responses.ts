// Responses with errors.

import type { Route } from '#kernel/api/routes.ts'
import {
  catalogue,
  type Detail,
  type DetailCode,
  detail,
  detailCodes,
  type ErrorCode,
  isDetailCode,
  type RouteError,
} from '#kernel/base/errors.ts'
import { errorsByStatus, knownDetails } from './error-codes.ts'
import { headerRefs } from './headers.ts'
import { type Json, schemaRef } from './json.ts'

/** Once for all operations: the response of each names only its codes. */
const meanings = Object.entries(detailCodes)
  .map(([code, meaning]) => `\`${code}\` ${meaning}`)
  .join(', ')

const detailSchema = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', description: 'Where, for example `teammate.smart_fields[2].value`.' },
    code: { type: 'string', enum: Object.keys(detailCodes), description: meanings },
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
    details: {
      type: 'array',
      items: detailSchema,
      description: 'Names every wrong field. The code of the error is that of the first of them.',
    },
    remediation: remediationSchema,
  },
}

const headersOf: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  // Other answers have the headers of the limit too. Listed at each of them, they would take 5 % of the document.
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
}

const responseOf = (
  status: number,
  codes: readonly RouteError[],
  { description, example }: { readonly description: string; readonly example: Json },
): Json => ({
  description,
  headers: headerRefs(['X-Request-Id', ...(headersOf[status] ?? [])]),
  content: { 'application/json': { schema: { $ref: schemaRef('Error') }, example } },
  // One schema for all errors: generators make one class of it.
  'x-error-codes': codes,
})

const plainResponse = (status: number, codes: readonly ErrorCode[]): Json => {
  const [code = 'internal_error'] = codes
  const { type, message } = catalogue[code]
  return responseOf(status, codes, {
    description: codes.map(each => `\`${each}\`: ${catalogue[each].message}`).join(' '),
    example: { error: { type, code, message } },
  })
}

/** The codes that explain themselves best, first. */
const instructive: readonly DetailCode[] = ['missing', 'blank', 'not_allowed', 'out_of_range', 'invalid']

function exampleDetail(details: readonly Detail[]): Detail {
  const examples = instructive.flatMap(code => details.find(each => each.code === code) ?? [])
  return examples[0] ?? details[0] ?? detail('id', 'invalid')
}

const invalidRequest = (route: Route, codes: readonly DetailCode[]): Json => {
  const { status, type } = catalogue.validation
  const example = exampleDetail(knownDetails(route))
  const { code, message } = example
  return responseOf(status, codes, {
    description: `Wrong fields: ${codes.map(each => `\`${each}\``).join(', ')}.`,
    example: { error: { type, code, message }, details: [example] },
  })
}

export const errorResponsesOf = (route: Route): [string, Json][] =>
  [...errorsByStatus(route)].map(([status, codes]) => {
    const details = codes.filter(isDetailCode)
    const response =
      details.length > 0
        ? invalidRequest(route, details)
        : plainResponse(status, codes as readonly ErrorCode[])
    return [String(status), response]
  })
