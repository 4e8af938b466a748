import { buildDashboard, sharedFolder } from '#dashboard/index.ts'
import { print } from './context.ts'

export async function buildWeb(): Promise<void> {
  print(`The dashboard is in ${await buildDashboard([sharedFolder])}.`)
}
