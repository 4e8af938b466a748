// The API described: for programs at /v1/openapi.json, for people at /docs (Scalar, served from here, no internet needed).
import { Type } from 'typebox'
import { type Answer, jsonText, publicRoute, type Route } from './kernel/routes.ts'

const html = Type.String()
// The page may talk to this service and to nobody else.
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'"

export function referenceRoutes(document: () => object): readonly Route[] {
  let text: string | undefined
  let page: Promise<Page> | undefined
  const serve = (path: string) => async (): Promise<Answer> => {
    page ??= loadPage()
    return (await page)(path)
  }
  return [
    publicRoute('/v1/openapi.json', 'This API as OpenAPI 3.1', { 200: Type.Unknown() }, async () => {
      text ??= JSON.stringify(document())
      return jsonText(text)
    }),
    publicRoute('/docs', 'The reference of this API', { 200: html }, serve('/docs/')),
    publicRoute(
      '/docs/js/scalar.js',
      'The program of the reference page',
      { 200: html },
      serve('/docs/js/scalar.js'),
    ),
  ]
}

type Page = (path: string) => Promise<Answer>

/** Loaded when somebody asks for it first: the page's program is 26 MB of memory that a service seldom needs. */
async function loadPage(): Promise<Page> {
  const { default: Fastify } = await import('fastify')
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pages = Fastify()
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/v1/openapi.json',
      cdn: '/docs/js/scalar.js',
      pageTitle: 'Signoff API',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // What would send the reader, or the document, to somebody else's servers.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  })
  return async path => {
    const { body, headers } = await pages.inject(path)
    return {
      status: 200,
      body,
      headers: { 'content-type': String(headers['content-type']), 'content-security-policy': policy },
    }
  }
}
