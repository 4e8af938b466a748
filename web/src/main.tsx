import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'

import { leaveRefused, queryClient } from './api/client.ts'
import { meQuery } from './api/session.ts'

import { watchTheme } from './frame/preferences.ts'
import { frameQuery } from './frame/root.tsx'
import { beginFirstPage, router } from './frame/routes.tsx'
import { showStartFailure } from './frame/start-failure.ts'
import { loadOverlaysAtFirstInput } from './ui/overlay/load-overlays.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    readonly begin?: (params: Readonly<Record<string, string>>) => void
  }
}

async function start(): Promise<void> {
  watchTheme()
  beginFirstPage()
  loadOverlaysAtFirstInput()
  try {
    await Promise.all([queryClient.fetchQuery(meQuery), queryClient.fetchQuery(frameQuery)])
  } catch (error) {
    if (!leaveRefused(error)) await showStartFailure()
    return
  }
  const element = document.getElementById('root')
  if (!element) throw new Error('The page has no root.')
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <RouterProvider router={router} />
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
