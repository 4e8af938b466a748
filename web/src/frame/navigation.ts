// The pages of the main menu, and what the API must allow for each.
import type { Me } from '@signoff/sdk'
import type { Scope } from '#api/client.ts'
import type { IconName } from '#ui/base/icon.tsx'
import type { Messages } from './messages.ts'

export interface NavigationEntry {
  readonly id: keyof Messages['shell']['nav']
  readonly to: string
  readonly icon: IconName
  readonly needs?: Scope
  /** Roles that the API would let read it, but who have nothing to do there. */
  readonly hiddenFor?: readonly Me['member']['role'][]
}

/** Groups are separated by a gap. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [
    { id: 'home', to: '/', icon: 'house', hiddenFor: ['member'] },
    { id: 'me', to: '/me', icon: 'id-card' },
  ],
  [
    { id: 'signatures', to: '/signatures', icon: 'pen-line', needs: 'signatures:read' },
    { id: 'campaigns', to: '/campaigns', icon: 'megaphone', needs: 'marketing_campaigns:read' },
    { id: 'analytics', to: '/analytics', icon: 'chart-column', needs: 'analytics:read' },
    { id: 'assets', to: '/assets', icon: 'image', needs: 'assets:read' },
  ],
  [
    { id: 'people', to: '/people', icon: 'users', needs: 'teammates:read' },
    { id: 'fields', to: '/fields', icon: 'tag', needs: 'smart_fields:read' },
    { id: 'approvals', to: '/approvals', icon: 'clipboard-check', needs: 'signatures:write' },
  ],
  [
    { id: 'installations', to: '/installations', icon: 'layers', needs: 'installations:read' },
    { id: 'integrations', to: '/integrations', icon: 'plug', needs: 'integrations:read' },
    {
      id: 'settings',
      to: '/settings',
      icon: 'settings',
      needs: 'workspace:read',
      hiddenFor: ['member'],
    },
  ],
]

export const visibleNavigation = (me: Me): readonly (readonly NavigationEntry[])[] =>
  navigation
    .map(group =>
      group.filter(
        ({ needs, hiddenFor = [] }) =>
          (needs === undefined || me.scopes.includes(needs)) && !hiddenFor.includes(me.member.role),
      ),
    )
    .filter(group => group.length > 0)
