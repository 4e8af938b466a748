import { buildDashboard } from '#dashboard/index.ts'
import { sharedFolder } from '#kernel/base/browser-builds.ts'
import { buildAddIn } from '#platform/outlook-add-in.ts'
import { print } from '../context.ts'

export async function buildWeb(): Promise<void> {
  print(`The dashboard is in ${await buildDashboard([sharedFolder])}.`)
  print(`The Outlook add-in is in ${await buildAddIn([sharedFolder])}.`)
}
