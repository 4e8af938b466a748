// Ends the session. It is no call of /v1: the pages of the sign-in belong to no workspace.
import { forgetWorkspace } from '#api/client.ts'
import { forgetOriginals } from '#api/originals.ts'
import { forgetHistories } from '#editor/page/kept-storage.ts'

export async function signOut(): Promise<void> {
  await fetch('/auth/sign_out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  forgetWorkspace()
  await Promise.all([forgetOriginals(), forgetHistories()])
  location.assign('/signed-out')
}
