// Pages are loaded when they are opened, together with the texts of their areas.
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import type { Scope } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { type Area, AreaTexts, loadAllTexts } from '#records/area-part.tsx'
import { NoAccessPage } from '#records/failures.tsx'

function ScopeGate({ needs, children }: { readonly needs: Scope | undefined; readonly children: ReactNode }) {
  const can = useCan()
  return needs === undefined || can(needs) ? children : <NoAccessPage />
}

/**
 * A page that uses the texts of these areas, the first of which is its own. `needs` is the scope without which the page
 * has nothing to show.
 */
export const areaPage = (
  areas: readonly Area[],
  load: () => Promise<{ readonly default: ComponentType }>,
  needs?: Scope,
) =>
  lazyRouteComponent(async () => {
    const [{ default: PageContent }, texts] = await Promise.all([load(), loadAllTexts(areas)])
    return {
      default: () => (
        <AreaTexts texts={texts}>
          <ScopeGate needs={needs}>
            <PageContent />
          </ScopeGate>
        </AreaTexts>
      ),
    }
  })
