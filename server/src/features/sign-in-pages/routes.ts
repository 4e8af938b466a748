import { type Static, Type } from 'typebox'
import { type Answer, plainBody, type Route } from '#kernel/routes.ts'
import { accountPages } from './account/pages.ts'
import { createSend } from './calls.ts'
import type { SignInPageDeps } from './deps.ts'
import { documentFor, headersOfPages, type PageContext } from './document.ts'
import { signInPages } from './entry/sign-in.ts'
import { tokenPages } from './entry/token-pages.ts'
import type { PageDefinition, PageResult, Visit } from './visit.ts'
import { contextFor, visitorOf } from './visitor.ts'

const page = Type.String()
const answers: Route['answers'] = {
  200: page,
  303: null,
  403: page,
  404: page,
  409: page,
  422: page,
  429: page,
  503: page,
}

const FormFields = Type.Record(Type.String(), Type.String({ maxLength: 10_000 }))

/** Values of a query that is sent twice are left out. */
const PageQuery = Type.Object({}, { additionalProperties: true })

type SentQuery = Readonly<Record<string, unknown>>

const textsIn = (query: SentQuery): Visit['query'] =>
  Object.fromEntries(
    Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )

/** Pages to sign in, and the page of one's own account. */
export function signInPageRoutes(deps: SignInPageDeps): readonly Route[] {
  const { access } = deps
  const headers = headersOfPages(access.publicUrl)
  const answerOf = (context: PageContext, result: PageResult): Answer => {
    const cookie: Record<string, string> = result.cookie === undefined ? {} : { 'set-cookie': result.cookie }
    if ('location' in result)
      return {
        status: 303,
        body: '',
        headers: { location: result.location, 'cache-control': 'no-store', ...cookie },
      }
    const body = documentFor(result.context ?? context, result.page)
    return { status: result.status, body, headers: { ...headers, ...cookie } }
  }
  const routeOf = ({ method, path, summary, visit }: PageDefinition): Route => ({
    name: null,
    method,
    path,
    access: 'public',
    summary,
    query: PageQuery,
    ...(method === 'POST' && {
      body: plainBody(FormFields),
      accepts: ['application/x-www-form-urlencoded'],
      bodyLimit: 64 * 1024,
      // The routes of the API that it calls are in the audit log.
      unaudited: true,
    }),
    answers,
    async handle({ db, client, params, query, body }) {
      const visitor = await visitorOf(db, client, access)
      const context = await contextFor(db, client, visitor, access.publicUrl)
      const result = await visit({
        db,
        context,
        visitor,
        params,
        query: textsIn(query as SentQuery),
        form: (body ?? {}) as Static<typeof FormFields>,
        userAgent: client.userAgent,
        send: createSend(deps.inject, client),
      })
      return answerOf(context, result)
    },
  })
  return [...signInPages(deps), ...tokenPages(deps), ...accountPages(deps)].map(routeOf)
}
