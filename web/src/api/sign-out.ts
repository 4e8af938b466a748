// Ends the session. It is no call of /v1: the pages of the sign-in belong to no workspace.
import { forgetWorkspace } from './client.ts'
import { forgetSavedHistories } from './kept-histories.ts'
import { forgetOriginals } from './originals.ts'

export async function signOut(): Promise<void> {
  await fetch('/auth/sign_out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  forgetWorkspace()
  await Promise.all([forgetOriginals(), forgetSavedHistories()])
  location.assign('/signed-out')
}
