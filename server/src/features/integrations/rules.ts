import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { drivingDirectory } from './queries.ts'

/** Who is a teammate, and under which address, is then changed in the directory alone. */
export async function refuseIfDirectoryDriven(db: Db, workspaceId: string, publicUrl: string): Promise<void> {
  const directory = await drivingDirectory(db, workspaceId)
  if (!directory) return
  throw apiError('directory_managed', {
    remediation: {
      action: 'manage_in_dashboard',
      dashboard_url: directory.dashboard_url ?? publicUrl,
      message: `Teammates come from ${directory.name}. Change them there, and the next sync brings the change here.`,
    },
  })
}
