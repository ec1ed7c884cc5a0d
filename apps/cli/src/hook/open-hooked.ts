import { openWorkspace, type Workspace } from '@warrant/workspace';
import { bundledDriver } from '../cli/sqlite-driver.ts';

/** Opens the workspace that hooks answer from; it has to be there. @throws what `openWorkspace` throws */
export function openHooked(directory: string): Promise<Workspace> {
  return openWorkspace({ directory, create: false, driver: bundledDriver() });
}
