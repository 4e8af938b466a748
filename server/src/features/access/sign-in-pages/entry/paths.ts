import { safeReturnPath } from '#features/access/access/index.ts'
import { pathWith } from '../visit.ts'

export const factorPath = '/sign-in/second-factor'

/** The home page, unless another page was asked for. */
export const pathAfter = (returnTo: string | undefined): string => safeReturnPath(returnTo)

export const continuePath = (returnTo: string | undefined): string =>
  pathWith('/sign-in/workspace', { return_to: returnTo })

/** The path to which a browser goes after any way in: 202 says that the second factor is missing. */
export const pathAfterSignIn = (status: number, returnTo: string | undefined): string =>
  status === 202 ? pathWith(factorPath, { return_to: returnTo }) : continuePath(returnTo)
