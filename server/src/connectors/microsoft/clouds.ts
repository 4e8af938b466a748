// The clouds of Microsoft: the worldwide one, and those of some countries, which share no accounts with it.

export const microsoftClouds = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  us_government: { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  us_government_dod: { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.chinacloudapi.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
} as const

export type MicrosoftCloud = keyof typeof microsoftClouds
export const cloudNames = Object.keys(microsoftClouds) as MicrosoftCloud[]

export interface MicrosoftEndpoints {
  /** The base address that requests go to: without a slash at the end. */
  readonly graph: string
  /** The name of Microsoft Graph, also when requests go through a proxy. */
  readonly graphName: string
  readonly tokenUrl: string
  /** The address that assertions name, also when the request goes to a proxy. */
  readonly tokenAudience: string
}

/** `graph_api` and `login_api` are the operator's: a proxy, or a stand-in. */
export function endpointsOf(settings: Readonly<Record<string, unknown>>): MicrosoftEndpoints {
  const cloud = microsoftClouds[(settings.cloud ?? 'global') as MicrosoftCloud] ?? microsoftClouds.global
  const path = `/${encodeURIComponent(String(settings.tenant ?? ''))}/oauth2/v2.0/token`
  return {
    graph: String(settings.graph_api ?? cloud.graph),
    graphName: cloud.graph,
    tokenUrl: `${String(settings.login_api ?? cloud.login)}${path}`,
    tokenAudience: `${cloud.login}${path}`,
  }
}
