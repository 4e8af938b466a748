// The connected systems, for pages that name where people and values come from.
import type { Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { useCan } from './session.ts'

export const integrationListQuery = {
  queryKey: ['integrations', 'list'],
  queryFn: () => api.integrations.list({ limit: 100 }),
  refetchInterval: 60_000,
} as const

export const isDirectory = ({ capabilities }: Pick<Integration, 'capabilities'>): boolean =>
  capabilities.includes('directory')

/** True if it decides who is a teammate. */
export const drivesTeammates = (integration: Integration): boolean =>
  isDirectory(integration) && integration.settings.drives_teammates !== false

/** None for roles that may not read integrations. */
export function useConnected(): readonly Integration[] {
  const isAllowed = useCan()('integrations:read')
  const { data = [] } = useQuery({ ...integrationListQuery, enabled: isAllowed })
  return data
}

/** The name of the directory with this id; undefined where it is not known. */
export function useSourceName(): (integrationId: string | null) => string | undefined {
  const connected = useConnected()
  return integrationId => connected.find(({ id }) => id === integrationId)?.name
}

/** The directory that people join and leave with: then the API refuses to add, remove and readdress them by hand. */
export const useDrivingDirectory = (): Integration | undefined => useConnected().find(drivesTeammates)
