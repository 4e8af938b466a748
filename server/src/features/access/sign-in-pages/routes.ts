import type { IncomingHttpHeaders } from 'node:http'
import { type Static, Type } from 'typebox'
import { type Answer, plainBody, type RequestClient, type Route } from '#kernel/api/routes.ts'
import { createSameOriginCheck } from '#kernel/http/same-origin.ts'
import { createSend } from './calls.ts'
import type { SignInPageDeps } from './deps.ts'
import { contextIn, documentFor, headersOfPages, type PageContext } from './document.ts'
import { appSetUpPages } from './entry/app-set-up.ts'
import { signInPages } from './entry/sign-in.ts'
import { problemPage } from './entry/sign-in-view.ts'
import { tokenPages } from './entry/token-pages.ts'
import { type PageDefinition, type PageResult, show, type Visit } from './visit.ts'
import { contextFor, languageIn, visitorOf } from './visitor.ts'

const page = Type.String()
const answers: Route['answers'] = {
  200: page,
  303: null,
  400: page,
  403: page,
  404: page,
  409: page,
  413: page,
  415: page,
  422: page,
  429: page,
  500: page,
  503: page,
}

/** The words for errors that no page answers itself; all others are faults of the service. */
const errorTexts: Readonly<Record<string, string>> = {
  rate_limited: 'too_many_attempts',
  malformed_json: 'unreadable_form',
  payload_too_large: 'unreadable_form',
  unsupported_media_type: 'unreadable_form',
  validation: 'unreadable_form',
}

const FormFields = Type.Record(Type.String(), Type.String({ maxLength: 10_000 }))

const queryText = Type.Optional(Type.String())

/** Each page uses some of them. */
const PageQuery = Type.Object({
  return_to: queryText,
  email: queryText,
  done: queryText,
  again: queryText,
  problem: queryText,
})

/** Pages to sign in. */
export function signInPageRoutes(deps: SignInPageDeps): readonly Route[] {
  const { access } = deps
  const headers = headersOfPages(access.publicUrl)
  const checkOrigin = createSameOriginCheck(access.publicUrl)
  const isOwnForm = (sent: RequestClient['headers'], hasCookie: boolean): boolean => {
    try {
      checkOrigin(sent as IncomingHttpHeaders, hasCookie)
      return true
    } catch {
      return false
    }
  }
  const answerOf = (context: PageContext, result: PageResult): Answer => {
    const { cookies = [] } = result
    if ('location' in result)
      return {
        status: 303,
        body: '',
        headers: { location: result.location, 'cache-control': 'no-store' },
        cookies,
      }
    const pageContext = result.context ?? context
    const body = documentFor(pageContext, result.page)
    return {
      status: result.status,
      body,
      headers: headersOfPages(access.publicUrl, pageContext.brand),
      cookies,
    }
  }
  /** Without the company: the database can be away. */
  const errorPage: Route['errorPage'] = (code, sent) => {
    const context = contextIn(languageIn(sent), null)
    const body = documentFor(context, problemPage(context, errorTexts[code] ?? 'unavailable'))
    return { body, headers }
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
    errorPage,
    async handle({ db, client, params, query, body }) {
      const visitor = await visitorOf(db, client, access)
      const { context, cookies } = await contextFor(db, client, visitor, access.publicUrl)
      if (method === 'POST' && !isOwnForm(client.headers, visitor !== null))
        return answerOf(context, show(problemPage(context, 'cross_origin'), 403))
      const result = await visit({
        db,
        context,
        visitor,
        params,
        query: query as Static<typeof PageQuery> as Visit['query'],
        form: (body ?? {}) as Static<typeof FormFields>,
        userAgent: client.userAgent,
        cookie: typeof client.headers.cookie === 'string' ? client.headers.cookie : undefined,
        send: createSend(deps.inject, client),
      })
      return answerOf(context, { ...result, cookies: [...cookies, ...(result.cookies ?? [])] })
    },
  })
  return [...signInPages(deps), ...tokenPages(deps), ...appSetUpPages].map(routeOf)
}
