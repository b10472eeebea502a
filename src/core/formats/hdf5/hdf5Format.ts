import { componentOfVariable } from '../../tensors/componentOfVariable.js';
import { defineFormat } from '../fileFormat.js';
import { isHdf5, readHdf5 } from './readHdf5.js';

export const hdf5Format = defineFormat({
  id: 'hdf5',
  names: [{ extensions: ['h5', 'hdf5'], isOwn: false }],
  role: 'arrays',
  component: 'weights',
  tensors: componentOfVariable,
  content: { matches: isHdf5 },
  checks: 'HDF5: groups, types and shapes of datasets, extents of their data',
  read: (source, sink) => readHdf5(source, sink),
});
