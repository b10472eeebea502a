import path from 'node:path';
import { localServer, sendFile } from '../../builders/remote/localServer.js';
import type { Spec } from '../spec.js';

export const specs: Spec[] = [
  {
    name: 'a file of a web server is inspected by its address, and named where it is not there',
    async run({ workbench, workspace }) {
      const { page, report } = workbench;
      const server = await localServer((request, response) =>
        sendFile(path.join(workspace, 'llama-tiny-sharded', request.url ?? ''), request, response),
      );
      try {
        const inspect = async (name: string): Promise<void> => {
          await workbench.run('Stowage: Inspect Remote…');
          const input = page.locator('.quick-input-widget input[type="text"]');
          await page.getByText('Headers come by ranges').waitFor();
          await input.fill(`${server.origin}/${name}`);
          await input.press('Enter');
        };
        await inspect('model.safetensors.index.json');
        await workbench.tab('model.safetensors.index.json').waitFor();
        await workbench.reportShown();
        await report.getByText('model-0000?-of-00003.safetensors').waitFor();
        await inspect('none.safetensors');
        await workbench.reportSays(/there is no such file/);
      } finally {
        await server.close();
      }
    },
  },
];
