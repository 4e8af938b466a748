// Nested app authentication: a token of the signed-in person for the service, from Outlook, without a dialog.
import { createNestablePublicClientApplication, type IPublicClientApplication } from '@azure/msal-browser'
import { within } from '../launch/outlook.ts'
import type { AddInSettings } from '../wire.ts'

declare const SIGNOFF: AddInSettings

let application: Promise<IPublicClientApplication> | undefined

function openApplication(): Promise<IPublicClientApplication> {
  const { clientId = '', tenantId = 'organizations' } = SIGNOFF
  application ??= createNestablePublicClientApplication({
    auth: { clientId, authority: `https://login.microsoftonline.com/${tenantId}` },
  }).catch(error => {
    application = undefined // the next event tries again
    throw error
  })
  return application
}

/** Null where Outlook gives none: then the service decides whether the deployment token is enough. */
export const silentToken = (): Promise<string | null> =>
  within(
    3_000,
    Promise.resolve()
      .then(openApplication)
      .then(app => app.acquireTokenSilent({ scopes: [SIGNOFF.scope ?? ''] }))
      .then(({ accessToken }) => accessToken),
  ).catch(() => null)
