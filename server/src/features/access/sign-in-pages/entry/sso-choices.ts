// Links to the identity providers of a company.
import type { SignInPageDeps, SsoChoice } from '../deps.ts'
import { type PageResult, pathWith, show, type Visit } from '../visit.ts'
import { pathAfter } from './paths.ts'
import { ssoRequiredPage } from './sign-in-view.ts'

export const withReturn = (
  choices: readonly SsoChoice[],
  returnTo: string | undefined,
): readonly SsoChoice[] =>
  choices.map(choice => ({ ...choice, path: pathWith(choice.path, { return_to: pathAfter(returnTo) }) }))

/** The connections of workspaces that insist on single sign-on, whatever the domain of the address. */
export async function ssoRequired(
  deps: SignInPageDeps,
  { db, context }: Visit,
  workspaceIds: readonly string[],
  returnTo: string | undefined,
): Promise<PageResult> {
  const choices = await Promise.all(workspaceIds.map(id => deps.ssoChoicesIn(db, id)))
  return show(ssoRequiredPage(context, withReturn(choices.flat(), returnTo)), 403)
}
