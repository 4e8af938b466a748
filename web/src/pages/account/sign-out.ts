// Ends the session, or all of the account. It is no call of /v1: the pages of the sign-in belong to no workspace.
import { accountCall, leaveTo } from '#api/account.ts'
import { forgetWorkspace } from '#api/client.ts'
import { forgetOriginals } from '#api/originals.ts'
import { forgetHistories } from '#editor/saving/kept-storage.ts'

export async function signOut(everywhere = false): Promise<void> {
  await accountCall('POST', '/auth/sign_out', everywhere ? { everywhere } : {})
  forgetWorkspace()
  await Promise.all([forgetOriginals(), forgetHistories()])
  return leaveTo(() => location.assign('/signed-out'))
}
