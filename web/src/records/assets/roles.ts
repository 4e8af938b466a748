export const roleIds = ['company_logo', 'profile_picture', 'banner'] as const
export type ImageRole = (typeof roleIds)[number]
