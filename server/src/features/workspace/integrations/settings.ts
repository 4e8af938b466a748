// Settings that every directory has, whatever its kind.
import { type Static, Type } from 'typebox'
import { Nullable } from '#kernel/api/validation.ts'

export const directorySettings = {
  drives_teammates: Type.Optional(
    Type.Boolean({
      description:
        'Whether this directory decides who is a teammate. One directory of a workspace can; others only fill values and groups of people whom they find by address. Default: true.',
    }),
  ),
  sync_minutes: Type.Optional(
    Nullable<number>(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description:
          'A change in the directory is taken over after so many minutes at the latest, so runs begin a little more often; null: only by request. Default: 5.',
      }),
    ),
  ),
  grace_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 365,
      description: 'Days after which people who are missing in the directory are removed. Default: 7.',
    }),
  ),
}

const Settings = Type.Object(directorySettings)

interface DirectorySettings {
  readonly drivesTeammates: boolean
  readonly syncMinutes: number | null
  readonly graceDays: number
}

/** The stored settings of a directory, with defaults. */
export function directorySettingsOf(settings: object): DirectorySettings {
  const { drives_teammates, sync_minutes, grace_days } = settings as Static<typeof Settings>
  return {
    drivesTeammates: drives_teammates ?? true,
    syncMinutes: sync_minutes === undefined ? 5 : sync_minutes,
    graceDays: grace_days ?? 7,
  }
}
