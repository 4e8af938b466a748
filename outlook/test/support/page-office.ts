// What a page gets instead of Office.js: the stand-in, with the settings that the test put into the page.
import { type MailSetup, StandInMail } from './mail.ts'
import { type OfficeSetup, StandInOffice } from './office.ts'

declare global {
  interface Window {
    standInSetup: MailSetup & OfficeSetup & { readonly isPane?: boolean; readonly token?: string }
    standIn: StandInOffice
    nestedAppAuthBridge?: object
  }
}

const { standInSetup: setup } = window
const office = new StandInOffice(new StandInMail(setup), { hasOnReady: true, ...setup }, run =>
  setTimeout(run, 0),
)
if (setup.isPane) office.keepOpen()
window.standIn = office
Object.assign(window, { Office: office.globals() })

/** The part of Outlook that gives tokens to nested apps. It has no dialog: only silent requests are answered. */
function bridgeOf(token: string): object {
  const listeners: ((message: string) => void)[] = []
  const account = {
    homeAccountId: 'home.tenant',
    environment: 'login.microsoftonline.com',
    tenantId: 'tenant',
    username: 'anna@acme.example',
    localAccountId: 'local',
    name: 'Anna',
    idToken: 'e30.e30.e30',
    platformBrokerId: 'broker',
    idTokenClaims: {},
  }
  const answers: Record<string, object> = {
    GetInitContext: {
      initContext: { sdkName: 'stand-in', sdkVersion: '1', accountContext: account, capabilities: {} },
    },
    GetToken: {
      token: { access_token: token, expires_in: 3_600, scope: 'signature.read', id_token: 'e30.e30.e30' },
      account,
    },
  }
  return {
    addEventListener: (_type: string, listener: (message: string) => void) => void listeners.push(listener),
    postMessage(text: string) {
      const { requestId, method } = JSON.parse(text)
      const answer = answers[method]
      if (!answer) office.breaches.push(`${method} needs a dialog`)
      const message = JSON.stringify({
        messageType: 'NestedAppAuthResponse',
        requestId,
        success: true,
        ...answer,
      })
      setTimeout(() => {
        for (const listener of listeners) listener(message)
      }, 0)
    },
  }
}
if (setup.token) window.nestedAppAuthBridge = bridgeOf(setup.token)
