import path from 'node:path';
import { hubServer } from '../../builders/remote/hubServer.js';
import { localServer, sendFile } from '../../builders/remote/localServer.js';
import type { Spec } from '../spec.js';
import type { Workbench } from '../workbench.js';

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
  {
    name: 'a private repository of the Hub is inspected with the token that the editor keeps, and another is a folder of the Explorer',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, hubPort, keepPicture, setTheme }) {
      const { page } = workbench;
      const token = `hf_${'e2'.repeat(16)}`;
      const folder = path.join(workspace, 'llama-tiny-trainer');
      const closed = await hubServer(folder, 'Org/Private', { port: hubPort, token, redirectedBytes: 2_000 });
      try {
        await answer(workbench, 'Inspect Remote…', 'Headers come by ranges', 'hf://Org/Private/checkpoint-20');
        await workbench.reportSays(/there is no model Org\/Private, or it is private: .*Set Hugging Face Token/);
        await answer(workbench, 'Set Hugging Face Token…', 'Kept in the secret storage', token);
        await workbench.report.getByRole('button', { name: 'Inspect again' }).click();
        await workbench.reportShown();
        if (closed.content.requests.some(({ headers }) => headers.authorization !== undefined))
          throw new Error('the token went to another host');
        await keepPicture('remote-dark');
        await setTheme('Light Modern');
        await keepPicture('remote-light');
        await setTheme('Default High Contrast');
        await keepPicture('remote-contrast');
        await page.setViewportSize({ width: 720, height: 1000 });
        await keepPicture('remote-half');
        await page.setViewportSize({ width: 1440, height: 1000 });
      } finally {
        await closed.close();
      }
      const open = await hubServer(folder, 'Org/Name', { port: hubPort });
      try {
        // The window opens again, as it has several folders now; where it was busy it may have lost them all.
        await workbench.repeatUntil(workbench.row('hf://Org/Name'), () =>
          answer(workbench, 'Open Remote Folder in Explorer…', 'Headers come by ranges', 'hf://Org/Name'),
        );
        await workbench.ready();
        await workbench.expand('hf://Org/Name', 'checkpoint-30');
        await workbench.pickInContextMenu('checkpoint-30', 'Inspect Checkpoint or Dataset');
        await workbench.tab('checkpoint-30').waitFor();
        await workbench.reportShown();
        await keepPicture('remote-folder');
      } finally {
        await open.close();
      }
    },
  },
];

/** Runs a command, and answers what it asks for. */
async function answer(workbench: Workbench, title: string, prompt: string, text: string): Promise<void> {
  await workbench.run(`Stowage: ${title}`);
  await workbench.page.getByText(prompt).waitFor();
  const input = workbench.page.locator('.quick-input-widget input').last();
  await input.fill(text);
  await input.press('Enter');
}
